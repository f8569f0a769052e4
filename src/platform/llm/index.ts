export {
  type ModelCaller,
  type ModelRequest,
  type ModelResponse,
  type ChatMessage,
  type Model,
  ModelError,
  type ModelSettings,
  openAiModel,
} from './model.ts'
