import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiFailure, type ApiRequest, callApi, PREFIX } from '../../api/index.ts'
import { Button, Card, Form, FormError, JsonView, TextArea, TextField } from '../../components/index.ts'
import { RequestCode } from '../../shell/request-code.tsx'
import {
  type Operation,
  type OperationDocument,
  type Parameter,
  resolve,
  typeOf,
} from '../../../contract/openapi-schema.ts'

interface BuilderProps {
  operation: Operation
  document: OperationDocument
  method: NonNullable<ApiRequest['method']>
  path: string
  maySend: boolean
  isSignedIn: boolean
}

/** A form for one operation: the request as code changes with it, and it is sent with the session of the person. */
export function RequestBuilder({ operation, document, method, path, maySend, isSignedIn }: BuilderProps) {
  const { parameters = [] } = operation
  const { values, setValues, bodyText, setBodyText, body } = useDraft(operation)
  const request = requestOf(method, path, parameters, values, body.value)
  const call = useMutation<unknown, ApiFailure, ApiRequest>({
    mutationFn: async (sent) => (await callApi<unknown>(sent)) ?? 'The response has no body.',
  })
  return (
    <div className="stack">
      <Card title="Request">
        <Form onSubmit={() => maySend && body.isValid && !call.isPending && call.mutate(request)}>
          {parameters.map((parameter) => (
            <TextField
              key={`${parameter.in} ${parameter.name}`}
              label={parameter.name}
              hint={typeOf(resolve(parameter.schema, document), document)}
              value={values[parameter.name] ?? ''}
              required={parameter.required === true}
              onChange={({ target: { value } }) => setValues({ ...values, [parameter.name]: value })}
            />
          ))}
          {bodyText !== undefined && (
            <TextArea
              label="Body (JSON)"
              isCode
              rows={10}
              value={bodyText}
              error={body.isValid ? undefined : 'This is not valid JSON.'}
              onChange={({ target: { value } }) => setBodyText(value)}
            />
          )}
          <FormError failure={call.error} />
          {maySend ? (
            <div className="actions">
              <Button type="submit" look={method === 'DELETE' ? 'danger' : 'primary'} isBusy={call.isPending}>
                Send {method} request
              </Button>
            </div>
          ) : (
            <WhyNot isSignedIn={isSignedIn} />
          )}
        </Form>
      </Card>
      {call.data !== undefined && (
        <Card title="Response">
          <JsonView label="Response" value={call.data} />
        </Card>
      )}
      <Card title="As code">
        <RequestCode request={request} hasTitle={false} />
      </Card>
    </div>
  )
}

/** What the person has filled in. */
function useDraft({ parameters = [], requestBody }: Operation) {
  const content = requestBody?.content['application/json']
  const [values, setValues] = useState(() => firstValues(parameters))
  const [bodyText, setBodyText] = useState(() =>
    content ? JSON.stringify(content.example ?? {}, null, 2) : undefined,
  )
  const body = bodyText === undefined ? { isValid: true, value: undefined } : readBody(bodyText)
  return { values, setValues, bodyText, setBodyText, body }
}

const WhyNot = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <p className="hint">
    {isSignedIn ? (
      'You do not have the permission to send this request.'
    ) : (
      <a href={`${PREFIX}/console/home`}>Sign in to send requests from this page.</a>
    )}
  </p>
)

/** Path parameters start with their example, so that the form shows what belongs in them; filters start empty. */
const firstValues = (parameters: readonly Parameter[]): Record<string, string> =>
  Object.fromEntries(
    parameters.map(({ name, in: place, required, example }) => [
      name,
      (place === 'path' || required) && example !== undefined ? String(example) : '',
    ]),
  )

function readBody(text: string): { isValid: boolean; value: unknown } {
  try {
    return { isValid: true, value: JSON.parse(text) }
  } catch {
    return { isValid: false, value: undefined }
  }
}

function requestOf(
  method: NonNullable<ApiRequest['method']>,
  template: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
  body: unknown,
): ApiRequest {
  const path = template
    .replace(/^\/api\/[^/]+/, '')
    .replace(/\{(\w+)\}/g, (place, name: string) => (values[name] ? encodeURIComponent(values[name]) : place))
  const filled = (place: Parameter['in']) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && values[parameter.name])
        .map(({ name }) => [name, values[name] as string]),
    )
  const [query, headers] = [filled('query'), filled('header')]
  return {
    method,
    path,
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  }
}
