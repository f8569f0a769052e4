import type { ApiFailure } from '../api/failure.ts'
import { errorOf, TextField } from '../components/field.tsx'

/** As the server requires it. */
const PASSWORD_CHARACTERS_MIN = 12

interface FieldProps {
  value: string
  onChange(value: string): void
  failure: ApiFailure | null
}

export const EmailField = ({ value, onChange, failure, ...more }: FieldProps & { readOnly?: boolean }) => (
  <TextField
    label="E-mail address"
    type="email"
    autoComplete="username"
    required
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={errorOf(failure, 'email')}
    {...more}
  />
)

interface CurrentPasswordProps extends FieldProps {
  label?: string
  /** The field of the request that has the password. */
  name?: string
}

export const CurrentPasswordField = ({
  value,
  onChange,
  failure,
  label = 'Password',
  name = 'password',
}: CurrentPasswordProps) => (
  <TextField
    label={label}
    type="password"
    autoComplete="current-password"
    required
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={errorOf(failure, name)}
  />
)

export const NewPasswordField = ({ value, onChange, failure }: FieldProps) => (
  <TextField
    label="New password"
    type="password"
    autoComplete="new-password"
    required
    minLength={PASSWORD_CHARACTERS_MIN}
    hint={`At least ${PASSWORD_CHARACTERS_MIN} characters. A few random words are good.`}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={errorOf(failure, 'password')}
  />
)
