import { useState } from 'react'
import type { ProjectModel } from '../../../contract/playground.ts'
import { useApiMutation } from '../../api/index.ts'
import { Button, Card, errorOf, Form, FormError, showToast, TextField } from '../../components/index.ts'

const PATH = '/org/project/model'

/** Sets the language model of the project. */
export function ModelForm({ model, onDone }: { model: ProjectModel | null; onDone(): void }) {
  const [baseUrl, setBaseUrl] = useState(model?.base_url ?? 'https://api.openai.com/v1')
  const [name, setName] = useState(model?.model ?? '')
  const [key, setKey] = useState('')
  const save = useSaveModel({ base_url: baseUrl, model: name, ...(key && { api_key: key }) }, onDone)
  return (
    <Card
      title="Language model"
      description={
        'Any API that is compatible with OpenAI: a vendor, a gateway, or a model of your own. ' +
        'Everybody who may use sessions of this project uses it.'
      }
    >
      <Form onSubmit={() => save.mutate()}>
        <TextField
          label="URL of the API"
          type="url"
          required
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.target.value)}
          error={errorOf(save.error, 'base_url')}
          hint={
            'With its version, such as https://api.openai.com/v1. ' +
            'A private IP address needs an entry in EGRESS_ALLOW.'
          }
        />
        <TextField
          label="Model"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errorOf(save.error, 'model')}
        />
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          error={errorOf(save.error, 'api_key')}
          hint={
            model?.has_api_key
              ? 'A key is stored. It stays if you leave this empty and do not change the URL.'
              : 'Stored encrypted, and never shown again.'
          }
        />
        <FormError failure={save.error} />
        <div className="actions">
          {model && <Button onClick={onDone}>Cancel</Button>}
          <Button look="primary" type="submit" isBusy={save.isPending}>
            Save model
          </Button>
        </div>
      </Form>
    </Card>
  )
}

const useSaveModel = (body: { base_url: string; model: string; api_key?: string }, onDone: () => void) =>
  useApiMutation<void>(() => ({ method: 'PUT', path: PATH, body }), {
    invalidates: [PATH],
    onSuccess() {
      showToast('Language model saved')
      onDone()
    },
  })
