import { expect, it } from 'vitest'
import { drawHouse, floorsOf, readImports } from './house.js'

const house = readImports()

it('docs/house.svg shows the house as it is', async () => {
  await expect(drawHouse(house)).toMatchFileSnapshot('../docs/house.svg')
})

it('the house has the contracts and carriers on the ground and the apps at the top', () => {
  const floors = floorsOf(house)
  expect(floors[0]).toEqual(['aadp-schemas', 'ahp-manifest', 'conformance-kit', 'safe-fetch'])
  expect(floors.at(-1)).toEqual(['reference-server'])
})

it('a circle would be seen', () => {
  const circle = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['a'])],
  ])
  expect(() => floorsOf(circle)).toThrow('a, b')
})
