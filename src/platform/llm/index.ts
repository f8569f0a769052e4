export {
  type ModelResponse,
  type ChatMessage,
  type Model,
  ModelError,
  type ModelSettings,
  openAiModel,
} from './model.ts'
