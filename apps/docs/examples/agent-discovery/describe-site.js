import { describeSite } from '@doorplate/agent-discovery/publish'

const signals = describeSite({
  url: 'https://shop.example/',
  name: 'The Book Shelf',
  contentSignal: { search: true, 'ai-train': false },
  resources: [
    { kind: 'ahp-manifest', url: '/.well-known/agent.json' },
    { kind: 'llms-txt', url: '/llms.txt' },
    { kind: 'ai-catalog', url: '/.well-known/ard.json' },
  ],
})
console.log(signals.linkHeader)
console.log(signals.htmlHead)
console.log(signals.robotsLines)
