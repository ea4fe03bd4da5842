import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A section of a manual page: its heading, which in a FAQ is the question, and the text below without any heading. */
export interface Section {
  readonly file: string
  readonly heading: string
  readonly text: string
}

/** Where the manual pages of Perl are: `PERL_POD_DIR`, else where Debian's package `perl-doc` puts them. */
export function podFolder(): string {
  const folders = [process.env['PERL_POD_DIR'] ?? '', ...debianFolders()]
  const found = folders.find((folder) => folder !== '' && existsSync(join(folder, 'perlfaq4.pod')))
  if (found === undefined)
    throw new Error('Install perl-doc, or set PERL_POD_DIR to the folder of perlfaq4.pod')
  return found
}

function debianFolders(): string[] {
  const root = '/usr/share/perl'
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'pod')) : []
}

/** The sections under headings of level 2, in the order of the files. */
export function sectionsOf(folder: string, isWanted: (file: string) => boolean): Section[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.pod') && isWanted(file))
  return files.sort().flatMap((file) => sectionsIn(file, readFileSync(join(folder, file), 'latin1')))
}

function sectionsIn(file: string, pod: string): Section[] {
  const sections: Section[] = []
  for (const part of pod.split(/^(?==head[12] )/m)) {
    const [, level, heading = '', text = ''] = /^=head([12]) (.*)\n([\s\S]*)$/.exec(part) ?? []
    if (level === '2')
      sections.push({ file, heading: withoutMarks(heading).trim(), text: withoutMarks(text) })
  }
  return sections
}

/** `C<code>`, `B<bold>` and the like, from the inside out. */
function withoutMarks(text: string): string {
  const next = text.replace(/[A-Z]<<? ?([^<>]*?) ?>?>/g, '$1')
  return next === text ? text : withoutMarks(next)
}
