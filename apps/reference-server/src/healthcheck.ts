#!/usr/bin/env node
/** Ends with 0 while the server on this machine is ready: for HEALTHCHECK, and for whoever asks by hand. */
import { get as getByHttp } from 'node:http'
import { get as getByHttps } from 'node:https'
import process from 'node:process'

const { PORT = '4870', TLS_CERT } = process.env
// To whom this speaks is beyond doubt; the certificate is for the name that the world uses.
const get = TLS_CERT === undefined || TLS_CERT === '' ? getByHttp : getByHttps
const options = { host: '127.0.0.1', port: PORT, path: '/health', timeout: 4000, rejectUnauthorized: false }

get(options, (response) => {
  response.resume()
  process.exitCode = response.statusCode === 200 ? 0 : 1
})
  .on('timeout', () => process.exit(1))
  .on('error', () => {
    process.exitCode = 1
  })
