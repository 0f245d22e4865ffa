/** SQL of a phone with its middle hidden; `whole` for who may read phones. */
export const phoneText = (column: string, whole: boolean): string =>
  whole ? column : `masked_phone(${column})`
/** SQL of a document (jsonb) with every telephone number in it hidden. */
export const withoutPhones = (column: string): string => `without_phones(${column})`
