#!/usr/bin/env bash
set -uo pipefail
source "${BASH_SOURCE[0]%/*}/../run-conformance.sh"

# The token stays in the environment, where no other process sees it. Older versions of bash call an empty list unbound.
arguments=()
[[ -n ${PROFILE:-} ]] && arguments+=(--profile "$PROFILE")
[[ -n ${PROBES:-} ]] && arguments+=(--probes "$PROBES")
run_conformance ahp-conformance ${arguments[@]+"${arguments[@]}"}
