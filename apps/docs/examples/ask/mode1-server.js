import { serve } from '@hono/node-server'
import { site } from './mode1.js'

serve({ fetch: site, port: Number(process.env.PORT ?? 3000) }, () => console.log('ready'))
