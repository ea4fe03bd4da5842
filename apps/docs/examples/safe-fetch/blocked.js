import { safeFetch as fetch } from '@doorplate/safe-fetch'

const error = await fetch('http://169.254.169.254/latest/meta-data/').catch((error) => error)
console.log(error.name, error.code, error.reason)
