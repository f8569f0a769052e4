// openapi-typescript writes its output with the compiler API of TypeScript 5, which TypeScript 7 does not have.
// @ts-morph/common contains it.
import { registerHooks } from 'node:module'

const SOURCE = `import { ts } from '@ts-morph/common'; export default ts`
const url = new URL('compiler-api.source.mjs', import.meta.url).href

registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' ? { url, shortCircuit: true } : next(name, context),
  load: (address, context, next) =>
    address === url ? { format: 'module', source: SOURCE, shortCircuit: true } : next(address, context),
})
