export { recordExchanges } from './record-exchanges.ts'
export {
  fromRecordedBody,
  type RecordedBody,
  type RecordedCall,
  type RecordedExchange,
  recordingKey,
  toRecordedBody,
} from './recorded-call.ts'
export { formatRecording, parseRecording } from './recording-file.ts'
export { createRecorder, createReplayer, type Recordings } from './recordings.ts'
export { redactArguments, redactCall, REDACTED } from './redact.ts'
