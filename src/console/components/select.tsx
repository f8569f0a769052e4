import { Select as BaseSelect } from '@base-ui/react/select'
import { useId } from 'react'
import { Icon } from './icons.tsx'
import { useIsReadOnly } from './read-only.tsx'

export interface Option {
  value: string
  label: string
  hint?: string
}

export interface SelectProps {
  label: string
  options: readonly Option[]
  value: string | undefined
  onChange(value: string): void
  /** Hides the label for people who see; screen readers still read it. */
  isLabelHidden?: boolean
  placeholder?: string
}

/** A choice of a few options. */
export function Select({
  label,
  options,
  value,
  onChange,
  isLabelHidden,
  placeholder = 'Choose…',
}: SelectProps) {
  const id = useId()
  const isReadOnly = useIsReadOnly()
  return (
    <div className="field">
      <label id={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <BaseSelect.Root
        items={options.map((option) => ({ value: option.value, label: option.label }))}
        value={value ?? null}
        readOnly={isReadOnly}
        onValueChange={(next) => {
          if (next !== null) onChange(next)
        }}
      >
        <BaseSelect.Trigger className="input select" aria-labelledby={id}>
          <BaseSelect.Value placeholder={placeholder} />
          <Icon name="chevron" />
        </BaseSelect.Trigger>
        <BaseSelect.Portal>
          <BaseSelect.Positioner className="positioner" sideOffset={4} alignItemWithTrigger={false}>
            <BaseSelect.Popup className="popup">
              {options.map((option) => (
                <BaseSelect.Item key={option.value} value={option.value} className="option">
                  <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                  {option.hint && <span className="hint">{option.hint}</span>}
                </BaseSelect.Item>
              ))}
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </div>
  )
}
