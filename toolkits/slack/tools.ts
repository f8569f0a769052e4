import {
  type CodeTool,
  type CodeToolContext,
  type ToolFile,
  ToolFailure,
} from '../../src/catalog/code-tool.ts'

type Args = Record<string, unknown>

/**
 * Uploads a file in three requests: Slack names a URL, receives the bytes there, and shares the file.
 * https://docs.slack.dev/messaging/working-with-files#uploading_files
 */
async function uploadFile(args: Args, context: CodeToolContext): Promise<unknown> {
  const file = args.file as ToolFile
  const { channel, title = file.name, initial_comment, thread_ts, alt_text } = args
  if (file.bytes.length === 0) throw new ToolFailure(`${file.name} is empty. Slack accepts no empty files.`)
  if (channel === undefined && (initial_comment ?? thread_ts) !== undefined)
    throw new ToolFailure('initial_comment and thread_ts need channel: without it the file is not shared.')
  const slot = (await context.request({
    method: 'POST',
    path: '/files.getUploadURLExternal',
    body_type: 'form',
    body: withoutAbsent({ filename: file.name, length: file.bytes.length, alt_text }),
  })) as { upload_url?: unknown; file_id?: unknown }
  if (typeof slot.upload_url !== 'string' || typeof slot.file_id !== 'string')
    throw new ToolFailure('Slack returned no upload URL.')
  await context.upload({ method: 'POST', url: slot.upload_url, file })
  return context.request({
    method: 'POST',
    path: '/files.completeUploadExternal',
    body_type: 'form',
    body: withoutAbsent({
      files: JSON.stringify([{ id: slot.file_id, title }]),
      channel_id: channel,
      initial_comment,
      thread_ts,
    }),
  })
}

const withoutAbsent = (fields: Args): Args =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const tools: Record<string, CodeTool> = { SLACK_UPLOAD_FILE: uploadFile }
