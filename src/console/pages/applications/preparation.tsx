import type { AuthConfig } from '../../../contract/auth-configs/index.ts'
import type { FieldDescriptor, SchemeSetup } from '../../../contract/toolkits/index.ts'
import { Button, CopyButton, TextField } from '../../components/index.ts'

/** Says that an auth config exists already, and offers another OAuth app. */
export const Prepared = ({ config, onNew }: { config: AuthConfig; onNew: (() => void) | undefined }) => (
  <div className="row">
    <p>
      The auth config <strong>{config.name}</strong> is ready.
    </p>
    {onNew && (
      <Button isSmall onClick={onNew}>
        Use another OAuth app
      </Button>
    )}
  </div>
)

interface CredentialFieldsProps {
  fields: readonly FieldDescriptor[]
  values: Readonly<Record<string, string>>
  onChange(values: Record<string, string>): void
}

export const CredentialFields = ({ fields, values, onChange }: CredentialFieldsProps) =>
  fields.map((field) => (
    <TextField
      key={field.name}
      label={field.displayName}
      hint={field.description}
      type={field.is_secret ? 'password' : 'text'}
      autoComplete="off"
      required
      value={values[field.name] ?? ''}
      onChange={(event) => onChange({ ...values, [field.name]: event.target.value })}
    />
  ))

/** What to do at the vendor, with the redirect URI to copy. */
export function Steps({ scheme, name }: { scheme: SchemeSetup; name: string }) {
  if (scheme.managed)
    return <p className="hint">The administrator configured an app. Nothing is to prepare.</p>
  return (
    <>
      {!scheme.redirect_uri_accepted && (
        <p className="notice" role="note">
          {name} accepts https redirect URIs only. Start the server with PUBLIC_URL set to an https URL that
          leads to it, for example through a tunnel, and open this page again.
        </p>
      )}
      <ol className="steps">
        {scheme.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {scheme.redirect_uri && (
        <p className="copy-line">
          <span>Redirect URI</span> <code>{scheme.redirect_uri}</code>
          <CopyButton text={scheme.redirect_uri} label="Copy redirect URI" />
        </p>
      )}
      {scheme.console_url && (
        <p>
          <a className="button plain" href={scheme.console_url} target="_blank" rel="noopener noreferrer">
            Open {name}
          </a>
        </p>
      )}
    </>
  )
}
