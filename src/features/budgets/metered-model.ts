import type { Model, ModelRequest, ModelResponse } from '../../platform/llm/index.ts'
import type { BudgetMeter } from './meter.ts'

/** Returns a model whose tokens count for the budgets of its callers. @throws ApiError Budget_Exceeded on calls */
export const meterModel = (model: Model, meter: BudgetMeter): Model => ({
  async complete(request) {
    const { caller } = request
    if (!caller) return model.complete(request)
    await meter.requireRemaining(caller, 'model_tokens')
    const response = await model.complete(request)
    await meter.record(caller, 'model_tokens', response.tokens ?? estimateTokens(request, response))
    return response
  },
  close: () => model.close(),
})

/** Characters of English text in a token of common models. */
const CHARACTERS_PER_TOKEN = 4

/** For models that report no usage. */
function estimateTokens({ messages, schema }: ModelRequest, response: ModelResponse): number {
  const characters =
    messages.reduce((sum, { content }) => sum + content.length, 0) +
    JSON.stringify(schema.schema).length +
    ('text' in response ? response.text.length : response.refusal.length)
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}
