import { invalidOption, ownMembers } from './validate-option.js'

/** A proxy that everything goes through. */
export interface ProxyOptions {
  /** An http or https URL, with user name and password if the proxy wants them. */
  readonly url: string | URL
  /** Says in the caller's own code what is given up: the proxy resolves names, so no address can be judged or pinned. */
  readonly nameResolution: 'by-proxy'
}

const MEMBERS: ReadonlySet<string> = new Set(['url', 'nameResolution'])

export function parseProxy(given: ProxyOptions | undefined): URL | null {
  if (given === undefined) return null
  const proxy = ownMembers('proxy', given, MEMBERS)
  if (!URL.canParse(String(proxy.url)) || !/^https?:$/.test(new URL(proxy.url).protocol)) {
    throw invalidOption('proxy.url', 'an http or https URL')
  }
  if ((proxy.nameResolution as unknown) !== 'by-proxy') {
    throw invalidOption(
      'proxy.nameResolution',
      "'by-proxy': the proxy resolves names, so addresses cannot be pinned",
    )
  }
  return new URL(proxy.url)
}
