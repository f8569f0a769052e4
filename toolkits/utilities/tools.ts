import type { CodeTool } from '../../src/catalog/code-tool.ts'
import { calculationTools } from './calculate.ts'
import { csvTools } from './csv.ts'
import { encodingTools } from './encoding.ts'
import { hashingTools } from './hashing.ts'
import { jsonTools } from './json-query.ts'
import { randomTools } from './random.ts'
import { textTools } from './text-tools.ts'
import { timeTools } from './time-tools.ts'
import { unitTools } from './units.ts'

export const tools: Record<string, CodeTool> = {
  ...timeTools,
  ...hashingTools,
  ...encodingTools,
  ...jsonTools,
  ...textTools,
  ...csvTools,
  ...calculationTools,
  ...unitTools,
  ...randomTools,
}
