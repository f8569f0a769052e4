import type { Config } from '../platform/config.ts'
import type { EmbeddingModel, Model } from '../platform/llm/index.ts'
import { StartupError } from '../platform/startup-error.ts'

/**
 * Creates the language model of the settings, if there is one.
 * @throws StartupError if only one of the two settings is set
 */
export async function createLanguageModel({
  llmBaseUrl: baseUrl,
  llmModel: model,
  llmApiKey: apiKey,
}: Pick<Config, 'llmBaseUrl' | 'llmModel' | 'llmApiKey'>): Promise<Model | undefined> {
  if (baseUrl === undefined && model === undefined) return undefined
  if (baseUrl === undefined || model === undefined) {
    const [set, missing] =
      baseUrl === undefined ? ['LLM_MODEL', 'LLM_BASE_URL'] : ['LLM_BASE_URL', 'LLM_MODEL']
    throw new StartupError(`${set} is set without ${missing}.`, `Set ${missing} too, or neither.`)
  }
  const { openAiModel } = await import('../platform/llm/index.ts')
  return openAiModel({ baseUrl, model, apiKey })
}

type EmbeddingConfig = Pick<
  Config,
  'embeddingsBaseUrl' | 'embeddingsModel' | 'embeddingsApiKey' | 'embeddingsDimensions'
>

/**
 * Creates the embedding model of the settings, if there is one.
 * @throws StartupError if only one of the two settings is set
 */
export async function createEmbeddingModel({
  embeddingsBaseUrl: baseUrl,
  embeddingsModel: model,
  embeddingsApiKey: apiKey,
  embeddingsDimensions: dimensions,
}: EmbeddingConfig): Promise<EmbeddingModel | undefined> {
  if (baseUrl === undefined && model === undefined) return undefined
  if (baseUrl === undefined || model === undefined) {
    const names = ['EMBEDDINGS_BASE_URL', 'EMBEDDINGS_MODEL']
    const [set, missing] = baseUrl === undefined ? names.toReversed() : names
    throw new StartupError(`${set} is set without ${missing}.`, `Set ${missing} too, or neither.`)
  }
  const { openAiEmbeddings } = await import('../platform/llm/index.ts')
  return openAiEmbeddings({ baseUrl, model, apiKey, dimensions })
}
