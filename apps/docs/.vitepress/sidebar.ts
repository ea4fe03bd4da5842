import { readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem

interface PackageFacts {
  readonly folder: string
  readonly texts: readonly string[]
  readonly entries: readonly string[]
  readonly commands: readonly string[]
}

const packages = JSON.parse(
  readFileSync(new URL('../site/reference/packages.json', import.meta.url), 'utf8'),
) as readonly PackageFacts[]

export const sidebar: DefaultTheme.Sidebar = {
  '/guides/': guides(),
  '/concepts/': concepts(),
  '/reference/': reference(),
  '/reference/api/': [allReferences(), api()],
  '/reference/spec/': [allReferences(), specifications()],
}

function guides(): Item[] {
  return [
    page('How do I …?', '/guides/'),
    {
      text: 'Publish',
      items: [
        page('Be found', '/guides/be-found'),
        page('Publish in five minutes', '/guides/publish'),
        page('Answer questions', '/guides/answer-questions'),
        page('From llms.txt to MODE3', '/guides/llms-txt-to-mode3'),
        page('Hand over to people', '/guides/hand-over-to-people'),
      ],
    },
    {
      text: 'Consume',
      items: [
        page('Find what a site offers', '/guides/find'),
        page('Mirror a site', '/guides/mirror'),
        page('Build an agent', '/guides/build-an-agent'),
        page('Secure outbound fetching', '/guides/secure-fetching'),
      ],
    },
    {
      text: 'Verify',
      items: [
        page('Check what can be found', '/guides/check-readiness'),
        page('Certify a deployment', '/guides/certify'),
        page('Judge an agent', '/guides/judge-an-agent'),
        page('Write a runner of your own', '/guides/own-runner'),
      ],
    },
    {
      text: 'Run',
      items: [
        page('Scale out with Redis', '/guides/scale-out'),
        page('Migrate from ail-aadp', '/guides/migrate-from-ail-aadp'),
      ],
    },
  ]
}

function concepts(): Item[] {
  return [
    page('Find, read, ask', '/concepts/'),
    page('Documents, checksums, sync', '/concepts/documents'),
    page('Manifests, modes, sessions', '/concepts/conversations'),
    page('Untrusted text', '/concepts/untrusted-text'),
    page('Why you can trust it', '/concepts/trust'),
    page('Beside other tools', '/concepts/comparison'),
  ]
}

function reference(): Item[] {
  return [
    {
      text: 'Packages',
      link: '/reference/packages/',
      items: packages.map(({ folder, texts }) => ({
        text: folder,
        link: `/reference/packages/${folder}`,
        ...(texts.length > 0 && {
          collapsed: true,
          items: texts.map((text) =>
            page(text.replaceAll('-', ' '), `/reference/packages/${folder}/${text}`),
          ),
        }),
      })),
    },
    specifications(),
    {
      text: 'Commands',
      link: '/reference/cli/',
      collapsed: true,
      items: packages.flatMap(({ commands }) => commands.map((name) => page(name, `/reference/cli/${name}`))),
    },
    page('API', '/reference/api/'),
    page('Reference server', '/reference/reference-server'),
    page('Error codes', '/reference/errors'),
    page('Benchmarks', '/reference/benchmarks'),
    page('Architecture', '/reference/project/architecture'),
    page('Decisions', '/reference/project/decisions/'),
  ]
}

/** A long page carries the list of its own kind only. */
function allReferences(): Item {
  return page('All references', '/reference/packages/')
}

function specifications(): Item {
  return {
    text: 'Specifications',
    items: [
      page('How to read them', '/reference/spec/'),
      page('AADP 1.0', '/reference/spec/aadp-1-0'),
      page('AADP 0.1', '/reference/spec/aadp-0-1'),
      page('AHP 0.1', '/reference/spec/ahp-0-1'),
      {
        text: 'Traceability',
        link: '/reference/spec/traceability',
        collapsed: true,
        items: [
          page('AADP 1.0', '/reference/spec/traceability/aadp-1-0'),
          page('AADP 0.1', '/reference/spec/traceability/aadp-0-1'),
          page('AHP 0.1', '/reference/spec/traceability/ahp-0-1'),
        ],
      },
    ],
  }
}

function api(): Item {
  return {
    text: 'API',
    link: '/reference/api/',
    items: packages.flatMap(({ entries }) => entries.map((entry) => page(entry, `/reference/api/${entry}`))),
  }
}

function page(text: string, link: string): Item {
  return { text, link }
}
