# Sourced by the actions beside it: runs a conformance runner and leaves every report in one folder. Inputs arrive as
# environment variables and are never evaluated.

# run_conformance <runner> [arguments of this runner]
run_conformance() {
  local runner=$1 line code status=''
  shift
  mkdir -p -- "$REPORTS"
  # What an earlier run left must not be taken for the result of this one.
  rm -f -- "$REPORTS"/{report.json,junit.xml,report.sarif,report.md}
  local arguments=(
    "$@"
    --output "$REPORTS/report.json"
    --junit "$REPORTS/junit.xml"
    --sarif "$REPORTS/report.sarif"
    --markdown "$REPORTS/report.md"
    --no-color
  )
  [[ -n ${SARIF_ARTIFACT:-} ]] && arguments+=(--sarif-artifact "$SARIF_ARTIFACT")
  [[ ${FAIL_ON_WARNING:-} == true ]] && arguments+=(--fail-on-warning)
  while IFS= read -r line; do
    [[ -n $line ]] && arguments+=(--header "$line")
  done <<<"${HEADERS:-}"
  while IFS= read -r line; do
    [[ -n $line ]] && arguments+=("$line")
  done <<<"${ARGUMENTS:-}"

  npx --yes --package "@doorplate/$runner@$PACKAGE_VERSION" -- "$runner" "${arguments[@]}" -- "$BASE_URL"
  code=$?

  [[ -f $REPORTS/report.md && -n ${GITHUB_STEP_SUMMARY:-} ]] && cat -- "$REPORTS/report.md" >>"$GITHUB_STEP_SUMMARY"
  if [[ -n ${GITHUB_OUTPUT:-} ]]; then
    [[ -f $REPORTS/report.json ]] && status=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).status' "$REPORTS/report.json")
    printf 'exit-code=%s\nstatus=%s\n' "$code" "$status" >>"$GITHUB_OUTPUT"
  fi
  return "$code"
}
