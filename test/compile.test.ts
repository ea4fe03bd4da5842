import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { compile } from './compile.js'

it('compile sees what is wrong in a program, and in what it imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compile-'))
  try {
    const program = join(folder, 'program.ts')
    writeFileSync(program, "import { x } from './x.js'\nimport 'nowhere'\nexport const y: string = x\n")
    writeFileSync(join(folder, 'x.d.ts'), 'export declare const x: number\nexport declare const z: Absent\n')
    const options = {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
    }
    expect(
      compile([program], { ...options, strict: true }).map((line) => line.slice(folder.length + 1)),
    ).toEqual([
      expect.stringMatching(/^x\.d\.ts: Cannot find name 'Absent'/),
      expect.stringMatching(/^program\.ts: Cannot find module .*'nowhere'/),
      expect.stringMatching(/^program\.ts: Type 'number' is not assignable/),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
