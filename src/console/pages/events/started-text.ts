/** Says how many deliveries start: none if the endpoint is disabled, or they are pending already. */
export const startedText = (queued: number): string =>
  queued === 0
    ? 'Nothing to deliver: the endpoint is disabled, or the deliveries are pending already'
    : queued === 1
      ? 'One delivery starts now'
      : `${queued.toLocaleString('en')} deliveries start now`
