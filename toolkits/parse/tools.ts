import { type CodeTool, type CodeToolContext, ToolFailure } from '../../src/catalog/code-tool.ts'

const CLASS = /^_?[A-Za-z][A-Za-z0-9_]*$/
const OBJECT_ID = /^[A-Za-z0-9_:@-]+$/
const FIELD = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/
const MOUNT_PATH = /^(\/[A-Za-z0-9._~-]+)*$/
const METHODS = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const

/**
 * The names go into paths of the server, some of them below our own request, so each is checked here and
 * never escaped.
 */
function checked(value: unknown, pattern: RegExp, what: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new ToolFailure(`${what} is not valid`)
  return value
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

function sessionHeaders(args: Record<string, unknown>): { headers?: Record<string, string> } {
  return typeof args.session_token === 'string'
    ? { headers: { 'X-Parse-Session-Token': args.session_token } }
    : {}
}

async function incrementField(args: Record<string, unknown>, context: CodeToolContext): Promise<unknown> {
  const className = checked(args.class_name, CLASS, 'class_name')
  const objectId = checked(args.object_id, OBJECT_ID, 'object_id')
  const field = checked(args.field, FIELD, 'field')
  const amount = args.amount ?? 1
  const reply = asRecord(
    await context.request({
      method: 'PUT',
      path: `/classes/${className}/${objectId}`,
      ...sessionHeaders(args),
      body: { [field]: { __op: 'Increment', amount } },
    }),
  )
  return { ...(field in reply ? { value: reply[field] } : {}), updatedAt: reply.updatedAt }
}

function batchRequest(operation: unknown, index: number, mountPath: string): Record<string, unknown> {
  const { action, class_name, object_id, data } = asRecord(operation)
  const where = `operations[${index}]`
  if (action !== 'create' && action !== 'update' && action !== 'delete')
    throw new ToolFailure(`${where}.action must be create, update or delete`)
  const className = checked(class_name, CLASS, `${where}.class_name`)
  if (action === 'create') {
    if (object_id !== undefined)
      throw new ToolFailure(`${where}: object_id is given by the server when an object is created`)
    return { method: METHODS.create, path: `${mountPath}/classes/${className}`, body: asRecord(data) }
  }
  const path = `${mountPath}/classes/${className}/${checked(object_id, OBJECT_ID, `${where}.object_id`)}`
  return action === 'update'
    ? { method: METHODS.update, path, body: asRecord(data) }
    : { method: METHODS.delete, path }
}

async function batchObjects(args: Record<string, unknown>, context: CodeToolContext): Promise<unknown> {
  const mountPath = checked(args.mount_path ?? '/parse', MOUNT_PATH, 'mount_path')
  if (/\/\.\.?(\/|$)/.test(mountPath)) throw new ToolFailure('mount_path is not valid')
  const operations = Array.isArray(args.operations) ? args.operations : []
  const requests = operations.map((operation, index) => batchRequest(operation, index, mountPath))
  const reply = await context.request({
    method: 'POST',
    path: '/batch',
    ...sessionHeaders(args),
    body: { requests, ...(args.transaction === true ? { transaction: true } : {}) },
  })
  const results = Array.isArray(reply) ? reply : []
  const failed = results.filter((result) => 'error' in asRecord(result)).length
  return { results, succeeded: results.length - failed, failed }
}

export const tools: Record<string, CodeTool> = {
  PARSE_INCREMENT_FIELD: incrementField,
  PARSE_BATCH_OBJECTS: batchObjects,
}
