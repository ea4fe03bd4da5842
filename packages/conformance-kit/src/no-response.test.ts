import { expect, it } from 'vitest'
import { noResponse } from './no-response.js'

it('tells a refusal by the guard from a network that does not answer', () => {
  const blocked = noResponse({ code: 'blocked', message: 'The address is not public.' })
  expect(blocked.message).toContain('--allow-private-network lets the host of the base URL be a private one')
  const refused = noResponse({ code: 'connection_failed', message: 'The connection failed.' })
  expect(refused).toEqual({
    message: 'No response: The connection failed. (connection_failed)',
    hint: expect.stringContaining('See that the host answers') as string,
  })
})
