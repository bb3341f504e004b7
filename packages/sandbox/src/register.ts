import { ScriptTool } from "@robot-lab/core";
import { Executor } from "./executor.js";

ScriptTool.executor = Executor;
