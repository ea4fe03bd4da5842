import { isIP } from 'node:net'

/** A host, without the brackets that IPv6 has in a URL. */
export function hostIn(given: string): string | undefined {
  const host = given.replace(/^\[(.*)\]$/, '$1')
  return /^[a-zA-Z0-9.:_%-]+$/.test(host) ? host : undefined
}

/** The origin of a URL that has nothing else. */
export function originIn(given: string): string | undefined {
  const url = urlIn(given, /^https?:$/)
  const isBare =
    url?.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === ''
  return isBare ? url.origin : undefined
}

export function redisUrlIn(given: string): string | undefined {
  return urlIn(given, /^rediss?:$/) === undefined ? undefined : given
}

/** Where, on one host, something that has a number is found. */
export function numberedUrlIn(given: string): string | undefined {
  const url = urlIn(given, /^https?:$/)
  const isBare = url?.username === '' && url.password === '' && !url.host.includes('{')
  return isBare && given.includes('{number}') ? given : undefined
}

/** An address, or a block of addresses. */
export function rangeIn(given: string): string | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(given) ?? []
  const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return width > 0 && Number(bits ?? 0) <= width ? given : undefined
}

export function portIn(given: string): string | undefined {
  return /^[1-9]\d{0,4}$/.test(given) && Number(given) <= 65_535 ? given : undefined
}

export function fileIn(given: string): string | undefined {
  return given === '' || given.includes('\0') ? undefined : given
}

function urlIn(given: string, protocol: RegExp): URL | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined
  return url !== undefined && protocol.test(url.protocol) ? url : undefined
}
