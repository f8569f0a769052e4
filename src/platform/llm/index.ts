export {
  DIMENSIONS_MAX,
  type EmbeddingModel,
  type EmbeddingSettings,
  openAiEmbeddings,
  TEXTS_MAX,
} from './embeddings.ts'
export {
  type ModelCaller,
  type ModelRequest,
  type ModelResponse,
  type ChatMessage,
  type Model,
  type ModelSettings,
  openAiModel,
} from './model.ts'
export { ModelError } from './model-endpoint.ts'
