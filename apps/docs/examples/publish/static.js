import { exportSite } from '@doorplate/aadp-server/export'
import { aadp } from './site.js'

const folder = process.argv[2] ?? 'public'
const files = await exportSite(aadp, folder)
console.log(`${files.length} files in ${folder}`)
