/** The one style sheet of the desk. Colours come from the browser's scheme; contrasts are at least 4.5 to 1. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c1b1f; --soft: #55525c; --paper: #fdfcfa; --card: #f2f0ec; --line: #8b8792; --link: #0b57a4; --act: #0b57a4; --on-act: #fff; --alert: #9b1c1c }
@media (prefers-color-scheme: dark) { :root { --ink: #ecebef; --soft: #b5b2bd; --paper: #17161a; --card: #232127; --line: #7d7986; --link: #8cc2ff; --act: #8cc2ff; --on-act: #10243a; --alert: #ff9a94 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 48rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; background: var(--paper); padding: .5rem }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; border-bottom: 1px solid var(--line); padding-bottom: .5rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem }
ol.tickets, ol.past { list-style: none; padding: 0; margin: 0 }
ol.tickets li { background: var(--card); border-radius: .5rem; padding: .75rem 1rem; margin: .5rem 0 }
.soft { color: var(--soft); font-size: .9rem }
blockquote, pre { margin: .25rem 0 1rem; padding: .5rem 1rem; background: var(--card); border-left: 4px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere }
pre { font-size: .9rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dd { margin: 0; min-width: 0 }
label { display: block; font-weight: 600; margin-top: 1rem }
textarea, input, select { display: block; width: 100%; padding: .5rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .25rem }
textarea { min-height: 8rem }
textarea.short, textarea.code { min-height: 4rem }
textarea.code { font-family: ui-monospace, monospace }
.hint { margin: .125rem 0 .25rem }
button { margin: 1rem .5rem 0 0; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border: 1px solid var(--act); border-radius: .25rem; background: var(--act); color: var(--on-act); cursor: pointer }
button.quiet { background: transparent; color: var(--link) }
[role=alert] { border: 2px solid var(--alert); padding: .5rem 1rem; border-radius: .25rem }
summary { cursor: pointer; padding: .5rem 0; margin-top: 1rem; color: var(--link) }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } }
`
