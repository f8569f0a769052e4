import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { Select as BaseSelect } from '@base-ui/react/select'
import { useId } from 'react'
import { Icon } from './icons.tsx'

export interface Option {
  value: string
  label: string
  hint?: string
}

interface SelectProps {
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
  return (
    <div className="field">
      <label id={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <BaseSelect.Root
        items={options.map((option) => ({ value: option.value, label: option.label }))}
        value={value ?? null}
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

interface ComboboxProps extends SelectProps {
  /** Called with what is typed, for lists that the server filters. Without it, the options are filtered here. */
  onSearch?(text: string): void
}

/** A choice of many options, found by typing. */
export function Combobox({
  label,
  options,
  value,
  onChange,
  onSearch,
  placeholder = 'Search…',
}: ComboboxProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <BaseCombobox.Root
        items={options as Option[]}
        value={options.find((option) => option.value === value) ?? null}
        onValueChange={(next) => {
          if (next) onChange(next.value)
        }}
        isItemEqualToValue={(one, other) => one.value === other.value}
        itemToStringLabel={(option) => option.label}
        {...(onSearch && { filter: null, onInputValueChange: onSearch })}
      >
        <BaseCombobox.Input id={id} className="input" placeholder={placeholder} />
        <BaseCombobox.Portal>
          <BaseCombobox.Positioner className="positioner" sideOffset={4}>
            <BaseCombobox.Popup className="popup">
              <BaseCombobox.Empty className="popup-empty">Nothing found</BaseCombobox.Empty>
              <BaseCombobox.List>
                {(option: Option) => (
                  <BaseCombobox.Item key={option.value} value={option} className="option">
                    <span>{option.label}</span>
                    {option.hint && <span className="hint">{option.hint}</span>}
                  </BaseCombobox.Item>
                )}
              </BaseCombobox.List>
            </BaseCombobox.Popup>
          </BaseCombobox.Positioner>
        </BaseCombobox.Portal>
      </BaseCombobox.Root>
    </div>
  )
}
