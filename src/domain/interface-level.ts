/**
 * The level of the interface that this kit implements: `requires_runtime` is compared with it, and
 * `/capabilities` names it.
 */
export const INTERFACE_LEVEL = '1.256.0';
