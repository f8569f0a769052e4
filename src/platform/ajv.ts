import { createRequire } from 'node:module'

// The libraries that validate and serialize JSON, loaded by their first use: 130 modules, which no start needs.

const load = createRequire(import.meta.url)

/** The validators of JSON Schema draft 7 and 2020-12, the formats of both, and the serializer. */
export const ajv = {
  get Ajv() {
    return (load('ajv') as typeof import('ajv')).Ajv
  },
  get Ajv2020() {
    return (load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020
  },
  get addFormats() {
    return (load('ajv-formats') as typeof import('ajv-formats')).default
  },
  get fastJson() {
    return load('fast-json-stringify') as typeof import('fast-json-stringify')
  },
}

/** Loads what the first request of an operation needs, so that it does not wait for that. */
export function loadCompilers(): void {
  void [ajv.Ajv, ajv.addFormats, ajv.fastJson]
}
