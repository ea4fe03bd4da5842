#!/usr/bin/env bash
set -uo pipefail
source "${BASH_SOURCE[0]%/*}/../run-conformance.sh"

arguments=(--protocol-version "$PROTOCOL_VERSION" --profile "$PROFILE" --entities "$ENTITIES")
[[ -n ${UNKNOWN_ENTITY_URL:-} ]] && arguments+=(--unknown-entity-url "$UNKNOWN_ENTITY_URL")
[[ -n ${UNKNOWN_TYPE_URL:-} ]] && arguments+=(--unknown-type-url "$UNKNOWN_TYPE_URL")
run_conformance aadp-conformance "${arguments[@]}"
