import { propertiesOf } from '../json-schema.ts'
import type { ToolkitManifest, ToolManifest } from '../format/index.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'
import type { JsonSchema } from '../../types/index.ts'
import { checkValuePattern } from './value-pattern.ts'

/** What a schema cannot say of idempotency keys. */
export function checkIdempotencyKey(tool: ToolManifest, path: string, report: DiagnosticReporter): void {
  const key = tool.idempotency_key
  if (!key) return
  if (tool.effect === 'read')
    report.add(path, 'is not allowed for the effect `read`: reads are repeated without a key.')
  if ([key.header, key.body, key.argument].filter((place) => place !== undefined).length !== 1)
    report.add(path, 'declare where the key is sent: one of `header`, `body`, `argument`.')
  if (key.argument !== undefined) {
    const { required } = tool.input as { required?: unknown }
    if (!Object.hasOwn(propertiesOf(tool.input as JsonSchema), key.argument))
      report.add(`${path}/argument`, `\`${key.argument}\` is not a property of the input.`)
    else if (Array.isArray(required) && required.includes(key.argument))
      report.add(
        `${path}/argument`,
        `\`${key.argument}\` must not be required: the server sets it when the caller leaves it out.`,
      )
  }
  if (key.body !== undefined && (tool.run || !['json', 'form', undefined].includes(tool.request?.body_type)))
    report.add(`${path}/body`, 'is only for requests with a JSON or form body.')
}

/** A pattern and a place make sense only together. */
export function checkRateLimit({ rate_limit: limit }: ToolkitManifest, report: DiagnosticReporter): void {
  limit?.wait?.forEach(({ header, body, value, pattern }, index) => {
    const path = `/rate_limit/wait/${index}`
    if ([header, body, value].filter((place) => place !== undefined).length !== 1)
      report.add(path, 'declare the wait: one of `header`, `body`, `value`.')
    if (pattern === undefined) return
    checkValuePattern(pattern, { ignoreCase: true }, `${path}/pattern`, report)
  })
}
