/** Placeholder of the signature. */
export async function doctor(_options: { json: boolean, out: NodeJS.WriteStream }): Promise<number> { return 0 }
