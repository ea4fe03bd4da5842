// serve.mjs
import { createServer } from 'node:http'
import { toNodeListener } from '@doorplate/aadp-server/node'
import { aadp } from './site.mjs'

createServer(toNodeListener(aadp)).listen(process.env.PORT ?? 3000, () => console.log('ready'))
