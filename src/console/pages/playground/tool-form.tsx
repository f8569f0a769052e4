import { type ReactNode, useState } from 'react'
import type { ExecuteReply } from '../../../contract/tools/execution.ts'
import type { Tool } from '../../../contract/tools/index.ts'
import { type ApiRequest, useApiMutation, useScreenRequest } from '../../api/index.ts'
import { Button, Card, Form, FormError, Tabs, TextArea } from '../../components/index.ts'
import { SchemaForm } from '../../components/schema-form.tsx'
import { RequestCode } from '../../shell/request-code.tsx'
import { CallResult } from './call-result.tsx'
import { ANY_ACCOUNT, type Caller, CallerFields } from './caller-fields.tsx'
import { FileField } from './file-field.tsx'
import { type Arguments, parseObject, readShared, useShared } from './shared-call.ts'
import { UploadCode } from './upload-code.tsx'
import { UploadsContext, useUploads } from './uploads.ts'

/** Arguments, caller and options of one call on the left, its result on the right. */
export function ToolForm({ tool }: { tool: Tool }) {
  const [initial] = useState(readShared)
  const [args, setArgs] = useState<Arguments>(initial.args)
  const [caller, setCaller] = useState<Caller>({
    userId: initial.userId,
    accountId: ANY_ACCOUNT,
    version: tool.version,
    isDryRun: false,
    pages: 1,
  })
  useShared(args, caller.userId)
  const request = requestFor(tool, args, caller)
  useScreenRequest(request)
  const uploads = useUploads({ toolkit_slug: tool.toolkit.slug, tool_slug: tool.slug }, args)
  const run = useApiMutation<Arguments, ExecuteReply>((input) => requestFor(tool, input, caller), {
    invalidates: ['/overview', '/logs'],
  })
  const submit = (input: Arguments) => run.mutate(input)
  return (
    <div className="split">
      <div className="stack">
        <Card title={tool.name} description={tool.description}>
          <CallerFields tool={tool} caller={caller} onChange={setCaller} />
        </Card>
        <Card title="Arguments">
          <UploadsContext value={uploads.context}>
            <ArgumentFields
              tool={tool}
              args={args}
              onChange={setArgs}
              onSubmit={submit}
              // A call that starts before the end of an upload would be without its file.
              isBusy={run.isPending || uploads.isRunning}
              isDryRun={caller.isDryRun}
            />
          </UploadsContext>
        </Card>
      </div>
      <div className="stack">
        <Card title="Result">
          <FormError failure={run.error} />
          {run.data && <CallResult reply={run.data} />}
          {!run.data && !run.error && <p className="hint">Run the tool to see its result.</p>}
        </Card>
        <Card title="As code">
          {uploads.requests.map((upload) => (
            <UploadCode key={JSON.stringify(upload.body)} request={upload} />
          ))}
          <RequestCode request={request} />
        </Card>
      </div>
    </div>
  )
}

interface ArgumentFieldsProps {
  tool: Tool
  args: Arguments
  onChange(args: Arguments): void
  onSubmit(args: Arguments): void
  isBusy: boolean
  isDryRun: boolean
}

function ArgumentFields({ tool, args, onChange, onSubmit, isBusy, isDryRun }: ArgumentFieldsProps) {
  const button = (
    <div className="actions">
      <Button type="submit" look="primary" icon="play" isBusy={isBusy}>
        {isDryRun ? 'Run without effect' : 'Run'}
      </Button>
    </div>
  )
  const form = (
    <SchemaForm
      schema={tool.input_parameters}
      value={args}
      onChange={onChange}
      onSubmit={onSubmit}
      fileField={FileField}
    >
      {button}
    </SchemaForm>
  )
  return (
    <Tabs
      label="Ways to enter the arguments"
      tabs={[
        { id: 'form', label: 'Form', content: form },
        {
          id: 'json',
          label: 'JSON',
          content: (
            <JsonArguments args={args} onChange={onChange} onSubmit={onSubmit}>
              {button}
            </JsonArguments>
          ),
        },
      ]}
    />
  )
}

interface JsonProps extends Pick<ArgumentFieldsProps, 'args' | 'onChange' | 'onSubmit'> {
  children: ReactNode
}

/** The arguments as text. The form shows them, too, as soon as the text is an object. */
function JsonArguments({ args, onChange, onSubmit, children }: JsonProps) {
  const [text, setText] = useState(() => JSON.stringify(args, null, 2))
  const parsed = parseObject(text)
  return (
    <Form
      onSubmit={() => {
        if (parsed) onSubmit(parsed)
      }}
    >
      <TextArea
        label="Arguments as JSON"
        isCode
        spellCheck={false}
        value={text}
        error={parsed ? undefined : 'This is no JSON object. Check quotes and commas.'}
        onChange={(event) => {
          setText(event.target.value)
          const next = parseObject(event.target.value)
          if (next) onChange(next)
        }}
      />
      {children}
    </Form>
  )
}

const requestFor = (tool: Tool, args: Arguments, caller: Caller): ApiRequest => ({
  method: 'POST',
  path: `/tools/execute/${tool.slug}`,
  body: {
    user_id: caller.userId,
    ...(caller.accountId !== ANY_ACCOUNT && { connected_account_id: caller.accountId }),
    ...(caller.version !== tool.version && { version: caller.version }),
    arguments: args,
    ...(caller.isDryRun && { response: { dry_run: true } }),
    ...(caller.pages > 1 && { paging: { max_pages: caller.pages } }),
  },
})
