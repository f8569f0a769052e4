import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { useEffect, useId, useMemo, useState } from 'react'
import { useIsReadOnly } from './read-only.tsx'
import type { Option, SelectProps } from './select.tsx'

interface ComboboxProps extends SelectProps {
  /**
   * Called with what is typed, for lists that the server filters, and with an empty text when the field shows a choice
   * again. Without it, the options are filtered here.
   */
  onSearch?(text: string): void
  /** The request that reads the options: an empty list is then loading, failed, or really empty. */
  request?: { readonly isFetching: boolean; readonly error: { readonly message: string } | null }
}

/** A choice of many options, found by typing. */
export function Combobox({
  label,
  options,
  value,
  onChange,
  onSearch,
  request,
  placeholder = 'Search…',
}: ComboboxProps) {
  const id = useId()
  const isReadOnly = useIsReadOnly()
  const selected = useSelected(options, value)
  // The text is ours: the library would replace what is typed by the chosen label whenever the options change.
  const [text, setText] = useState(selected?.label ?? '')
  useEffect(() => setText(selected?.label ?? ''), [selected])
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <BaseCombobox.Root
        items={options as Option[]}
        value={selected}
        readOnly={isReadOnly}
        onValueChange={(next) => {
          if (next) onChange(next.value)
        }}
        inputValue={text}
        onInputValueChange={(next, { reason }) => {
          setText(next)
          onSearch?.(reason === 'input-change' ? next : '')
        }}
        isItemEqualToValue={(one, other) => one.value === other.value}
        itemToStringLabel={(option) => option.label}
        {...(onSearch && { filter: null })}
      >
        <BaseCombobox.Input id={id} className="input" placeholder={placeholder} />
        <BaseCombobox.Portal>
          <BaseCombobox.Positioner className="positioner" sideOffset={4}>
            <BaseCombobox.Popup className="popup">
              <BaseCombobox.Empty className="popup-empty">{emptyText(request)}</BaseCombobox.Empty>
              <BaseCombobox.List>
                {(option: Option) => (
                  <BaseCombobox.Item key={option.value} value={option} className="option">
                    <span>{option.label}</span>
                    {option.hint && <span className="hint">{option.hint}</span>}
                  </BaseCombobox.Item>
                )}
              </BaseCombobox.List>
              {/* Below the options of the search before, which stay until there are new ones. */}
              <BaseCombobox.Status className="popup-empty">
                {request?.isFetching && 'Searching…'}
              </BaseCombobox.Status>
            </BaseCombobox.Popup>
          </BaseCombobox.Positioner>
        </BaseCombobox.Portal>
      </BaseCombobox.Root>
    </div>
  )
}

const emptyText = (request: ComboboxProps['request']): string =>
  request?.isFetching ? '' : (request?.error?.message ?? 'Nothing found')

/** The chosen option: the same object while its texts are the same. One that the list does not contain is its value. */
function useSelected(options: readonly Option[], value: string | undefined): Option | null {
  const found = options.find((option) => option.value === value)
  const [known, setKnown] = useState(found)
  if (found && (found.value !== known?.value || found.label !== known.label)) setKnown(found)
  const label = value && (known?.value === value ? known.label : value)
  return useMemo(() => (value && label ? { value, label } : null), [value, label])
}
