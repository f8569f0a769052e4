/** Removes an item of an array, and returns whether it was there. */
export function removeItem<T>(items: T[], item: T): boolean {
  const index = items.indexOf(item)
  if (index >= 0) items.splice(index, 1)
  return index >= 0
}
