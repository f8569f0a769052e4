export { cassetteText, readCassette } from './read.ts'
export { redacted, REDACTED, redactedArguments } from './redact.ts'
export { bodyOf, bytesOf, keyOf, type Take, type TakenBody, type TakenExchange } from './take.ts'
