import { toNodeListener } from '@doorplate/aadp-server/node'
import express from 'express'
import { aadp } from './site.js'

const app = express()
app.use(toNodeListener(aadp))
app.get('/', (_request, response) => {
  response.send('My own pages')
})
app.listen(process.env.PORT ?? 3000, () => console.log('ready'))
