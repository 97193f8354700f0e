// The program behind the bundled adapter `rehearsal`: run by Node as a process of its own, never
// imported. The build folds what it imports into this file.
import './program.js';
