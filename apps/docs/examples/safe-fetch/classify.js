import { classifyAddress } from '@doorplate/safe-fetch'

console.log(classifyAddress('64:ff9b::a9fe:a9fe'))
