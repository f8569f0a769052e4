import { useState } from 'react'
import type { SystemState } from '../../../contract/system.ts'
import { Card, CheckField, TextField } from '../../components/index.ts'
import { InlineCode } from '../../components/inline-code.tsx'

type Setting = SystemState['settings'][number]

/** Every setting of the process. Values of secrets do not leave the server. */
export function Settings({ settings }: { settings: readonly Setting[] }) {
  const [text, setText] = useState('')
  const [isAll, setAll] = useState(false)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const visible = settings.filter(
    ({ name, description, is_set: isSet }) =>
      (isAll || isSet || words.length > 0) &&
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  )
  return (
    <Card
      title="Settings"
      description={
        'Environment variables of the process that returned this page. ' +
        'Change them there, and restart the server.'
      }
    >
      <TextField
        label="Search settings"
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <CheckField
        label="Show settings that have their default"
        checked={isAll}
        onChange={(event) => setAll(event.target.checked)}
      />
      {visible.length === 0 ? (
        <p className="hint">{words.length > 0 ? 'No setting matches.' : 'Every setting has its default.'}</p>
      ) : (
        <dl className="settings-list">
          {visible.map((setting) => (
            <div key={setting.name}>
              <dt>
                <code>{setting.name}</code>
              </dt>
              <dd>
                <strong className="break">{valueOf(setting)}</strong>
                {!setting.is_set && <span className="hint"> (default)</span>}
                <p className="hint">
                  <InlineCode>{setting.description}</InlineCode>
                </p>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

function valueOf({ is_secret: isSecret, is_set: isSet, value }: Setting): string {
  if (isSecret) return isSet ? 'set; a secret is not shown' : 'not set'
  return value ?? 'not set'
}
