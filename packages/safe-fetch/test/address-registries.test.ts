import { describeWithCorpora } from '@internal/vectors'
import { expect, it } from 'vitest'

import { compareWithFiles, compareWithRegistry, parseRegistry } from '../scripts/registry.js'

describeWithCorpora('IANA registries', 'iana', (directory) => {
  it('say what the address tables say', () => {
    expect(compareWithFiles(directory)).toEqual([])
  })
})

const HEAD =
  'Address Block,Name,RFC,Allocation Date,Termination Date,Source,Destination,Forwardable,Globally Reachable,Reserved-by-Protocol'

it('a registry row of several blocks, footnotes and quotes is read as IANA means it', () => {
  const csv = `${HEAD}\r\n"192.0.0.170/32, 192.0.0.171/32 [2]","""NAT64""","[RFC8880],\n Section 2",2013-02,N/A,False,False,False,True [1],True\r\n`
  expect(parseRegistry(csv)).toEqual([
    { block: '192.0.0.170/32', name: '"NAT64"', reachable: true },
    { block: '192.0.0.171/32', name: '"NAT64"', reachable: true },
  ])
})

it('a new row, a changed one and a dropped one are differences', () => {
  const registry = parseRegistry(`${HEAD}\n1.0.0.0/8,New,,,,,,,False,\n2.0.0.0/8,Changed,,,,,,,True,\n`)
  const row = { source: 'registry', reachable: false } as const
  const ours = [
    { ...row, block: '2.0.0.0/8', name: 'Changed' },
    { ...row, block: '3.0.0.0/8', name: 'Dropped' },
  ]
  expect(compareWithRegistry(ours, registry)).toEqual([
    'missing: 1.0.0.0/8 New not reachable',
    'missing: 2.0.0.0/8 Changed reachable',
    'not in the registry: 2.0.0.0/8 Changed not reachable',
    'not in the registry: 3.0.0.0/8 Dropped not reachable',
  ])
})
