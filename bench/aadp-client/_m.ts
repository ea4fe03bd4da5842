import { startSite } from './start-site.js'
import { spawnSync, spawn } from 'node:child_process'
import { once } from 'node:events'
await using site = await startSite(Number(process.argv[2]))
const c = spawn(process.execPath, ['--expose-gc', '/tmp/team/mem.mjs', site.origin], {stdio:'inherit'})
await once(c,'exit')
