export {
  type Answer,
  type Message,
  type Model,
  ModelError,
  type ModelSettings,
  openAiModel,
} from './model.ts'
