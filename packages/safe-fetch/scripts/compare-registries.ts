// Compares the address tables with the IANA registry files (CSV): `pnpm compare-registries [folder]`. The folder is
// $CORPORA_DIR/iana by default; the files come from https://www.iana.org/assignments/iana-ipv4-special-registry and
// .../iana-ipv6-special-registry. Prints every difference; exits with 1 if there is one.
import { join } from 'node:path'

import { corporaDir } from '@internal/vectors'

import { compareWithFiles } from './registry.js'

const differences = compareWithFiles(process.argv[2] ?? join(corporaDir(), 'iana'))
process.stdout.write(
  differences.map((difference) => `${difference}\n`).join('') || 'The tables agree with the registries.\n',
)
process.exitCode = differences.length === 0 ? 0 : 1
