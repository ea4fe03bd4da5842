import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { aadp } from './site.js'

const app = new Hono()
// #region mount
app.use((context, next) => (aadp.matches(context.req.url) ? aadp.handleRequest(context.req.raw) : next()))
// #endregion mount
app.get('/', (context) => context.text('My own pages'))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, () => console.log('ready'))
