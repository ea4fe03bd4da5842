#!/usr/bin/env bash
# Runs the checks and leaves every report in one folder. Inputs arrive as environment variables and are never evaluated.
set -uo pipefail

mkdir -p -- "$REPORTS"
# What an earlier run left must not be taken for the result of this one.
rm -f -- "$REPORTS"/{report.json,junit.xml,report.sarif,report.md}
arguments=(
  --protocol-version "$PROTOCOL_VERSION"
  --profile "$PROFILE"
  --entities "$ENTITIES"
  --output "$REPORTS/report.json"
  --junit "$REPORTS/junit.xml"
  --sarif "$REPORTS/report.sarif"
  --markdown "$REPORTS/report.md"
  --no-color
)
[[ -n ${UNKNOWN_ENTITY_URL:-} ]] && arguments+=(--unknown-entity-url "$UNKNOWN_ENTITY_URL")
[[ -n ${UNKNOWN_TYPE_URL:-} ]] && arguments+=(--unknown-type-url "$UNKNOWN_TYPE_URL")
[[ -n ${SARIF_ARTIFACT:-} ]] && arguments+=(--sarif-artifact "$SARIF_ARTIFACT")
[[ ${FAIL_ON_WARNING:-} == true ]] && arguments+=(--fail-on-warning)
while IFS= read -r line; do
  [[ -n $line ]] && arguments+=(--header "$line")
done <<<"${HEADERS:-}"
while IFS= read -r line; do
  [[ -n $line ]] && arguments+=("$line")
done <<<"${ARGUMENTS:-}"

npx --yes --package "@doorplate/aadp-conformance@$PACKAGE_VERSION" -- aadp-conformance "${arguments[@]}" -- "$BASE_URL"
code=$?

[[ -f $REPORTS/report.md && -n ${GITHUB_STEP_SUMMARY:-} ]] && cat -- "$REPORTS/report.md" >>"$GITHUB_STEP_SUMMARY"
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  status=''
  [[ -f $REPORTS/report.json ]] && status=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).status' "$REPORTS/report.json")
  printf 'exit-code=%s\nstatus=%s\n' "$code" "$status" >>"$GITHUB_OUTPUT"
fi
exit "$code"
